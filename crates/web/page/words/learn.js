export default {
  en: {
    "learn.about": "A learner plays against itself and finds out what each piece is worth, by TD(λ) as in paper 004.", "learn.new": "A new run", "learn.game": "Game", "learn.changes": "Changes of its rules",
    "learn.lambdaHint": "How far the past counts. Choose several to compare them.", "learn.chooseLambda": "Choose at least one λ.", "learn.nGames": "Games", "learn.nRuns": "Runs", "learn.depth": "Plies looked ahead", "learn.begin": "Begin", "learn.options": "More choices", "learn.seed": "Seed", "learn.batch": "Games at once", "learn.alpha": "Rate", "learn.unit": "Piece that is worth 1",
    "learn.features": "Weights beyond those of pieces", "learn.hand": "pieces in hand", "learn.squares": "pieces on squares", "learn.mobility": "squares attacked", "learn.papers": "The papers' experiments", "learn.quick": "A quick look", "learn.full": "In full ({n} games)", "learn.runs": "Runs", "learn.noRuns": "Nothing has been learned yet. The form begins with a small game that takes seconds.",
    "learn.tables": "Tables of values", "learn.tablesAbout": "Weights that were kept: play with them, measure with them, or put them to the test.", "learn.noTables": "None yet: a run that is done offers its weights.", "learn.sure": "Delete the table {name}?", "learn.run": "run {n}", "learn.waiting": "The curves begin with the first games.", "learn.gamesPlayed": "games played", "learn.weight": "weight",
    "learn.values": "Values so far", "learn.valuesAbout": "In units of the first piece.", "learn.use": "Use these weights", "learn.useAbout": "Keep a table under a name; then it is there to play and measure with.", "learn.tableName": "Name of the table", "learn.keep": "Keep", "learn.kept": "Kept as {name}", "learn.playWith": "Play with it", "learn.test": "Put to the test", "learn.measureWith": "Measure with it", "learn.report": "Report",
  },
  ja: {
    "learn.about": "自分自身との対局から、論文004の TD(λ) 法で各駒の価値を学びます。", "learn.new": "新しい学習", "learn.game": "ゲーム", "learn.changes": "ルールの変更",
    "learn.lambdaHint": "過去をどこまで重んじるか。複数選ぶと比べられます。", "learn.chooseLambda": "λ を一つ以上選んでください。", "learn.nGames": "局数", "learn.nRuns": "回数", "learn.depth": "先読み手数", "learn.begin": "始める", "learn.options": "詳しい設定", "learn.seed": "乱数の種", "learn.batch": "同時に指す局数", "learn.alpha": "学習率", "learn.unit": "価値を1とする駒",
    "learn.features": "駒の種類以外の重み", "learn.hand": "持ち駒", "learn.squares": "駒の位置", "learn.mobility": "利きの数", "learn.papers": "論文の実験", "learn.quick": "手早く試す", "learn.full": "全部（{n} 局）", "learn.runs": "学習の一覧", "learn.noRuns": "まだ何も学習していません。フォームには数秒で終わる小さなゲームが選んであります。",
    "learn.tables": "価値の表", "learn.tablesAbout": "保存した重みで、対局、測定、検証ができます。", "learn.noTables": "まだありません。終わった学習から保存できます。", "learn.sure": "表 {name} を削除しますか？", "learn.run": "{n} 回目", "learn.waiting": "最初の対局が終わると曲線が現れます。", "learn.gamesPlayed": "対局数", "learn.weight": "重み",
    "learn.values": "現在の価値", "learn.valuesAbout": "最初の駒を1とした値。", "learn.use": "この重みを使う", "learn.useAbout": "名前を付けて保存すると、対局や測定に使えます。", "learn.tableName": "表の名前", "learn.keep": "保存", "learn.kept": "{name} として保存しました", "learn.playWith": "これで対局", "learn.test": "検証する", "learn.measureWith": "これで測る", "learn.report": "報告書",
  },
};
