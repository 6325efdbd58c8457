export default {
  en: {
    "jobs.waiting": "waiting", "jobs.running": "running", "jobs.stopped": "stopped", "jobs.done": "done", "jobs.failed": "failed",
    "jobs.progress": "Progress", "jobs.stop": "Stop", "jobs.resume": "Go on", "jobs.again": "Do it again", "jobs.command": "Copy as a command", "jobs.files": "Files", "jobs.report": "Report", "jobs.openReport": "Open by itself",
    "jobs.sure": "Delete this job and everything that it found?", "jobs.games": "{done} games", "jobs.gamesOf": "{done} of {of} games",
    "jobs.perSecond": "{n} a second", "jobs.left": "{time} left", "jobs.seconds": "{n} s", "jobs.minutes": "{n}:{s} min", "jobs.hours": "{n} h {m} min",
    "jobs.about": "Long work goes on when this page is closed, and after the program is started again. One job runs at a time; each uses all processors.",
    "jobs.none": "No job yet. Measure a game, repeat an experiment of a paper, or let pieces' values be learned.",
    "jobs.toAnalyze": "Measure a game", "jobs.toLearn": "Learn values", "jobs.open": "Open", "jobs.what": "Job", "jobs.state": "State", "jobs.when": "When",
    "jobs.kind.analyze": "measurement", "jobs.kind.reproduce": "paper's experiment", "jobs.kind.evolve": "evolution", "jobs.kind.learn": "learning", "jobs.kind.match": "match", "jobs.kind.rerun": "a report's experiment", "jobs.kind.merge": "joined parts", "jobs.kind.part": "part from elsewhere", "jobs.kind.bench": "signature",
    "jobs.part": "part {part}", "jobs.bench": "Count the benchmark", "jobs.benchAbout": "A fixed list of positions, counted in a second: the total is a signature of the move generator, the time is this machine's.", "jobs.positions": "{done} positions", "jobs.positionsOf": "{done} of {of} positions",
  },
  ja: {
    "jobs.waiting": "待機中", "jobs.running": "実行中", "jobs.stopped": "停止", "jobs.done": "完了", "jobs.failed": "失敗",
    "jobs.progress": "進み具合", "jobs.stop": "止める", "jobs.resume": "続ける", "jobs.again": "もう一度行う", "jobs.command": "コマンドとしてコピー", "jobs.files": "ファイル", "jobs.report": "報告書", "jobs.openReport": "単独で開く",
    "jobs.sure": "この作業とその結果をすべて削除しますか？", "jobs.games": "{done} 局", "jobs.gamesOf": "{of} 局中 {done} 局",
    "jobs.perSecond": "毎秒 {n} 局", "jobs.left": "残り {time}", "jobs.seconds": "{n} 秒", "jobs.minutes": "{n} 分 {s} 秒", "jobs.hours": "{n} 時間 {m} 分",
    "jobs.about": "長い作業は、このページを閉じても、プログラムを起動し直しても続きます。一度に一つの作業が、すべてのプロセッサを使って動きます。",
    "jobs.none": "作業はまだありません。ゲームを測る、論文の実験を繰り返す、駒の価値を学習する、などができます。",
    "jobs.toAnalyze": "ゲームを測る", "jobs.toLearn": "価値を学習する", "jobs.open": "開く", "jobs.what": "作業", "jobs.state": "状態", "jobs.when": "日時",
    "jobs.kind.analyze": "測定", "jobs.kind.reproduce": "論文の実験", "jobs.kind.evolve": "進化", "jobs.kind.learn": "学習", "jobs.kind.match": "対戦", "jobs.kind.rerun": "報告書の再実験", "jobs.kind.merge": "部分の統合", "jobs.kind.part": "ほかで行った部分", "jobs.kind.bench": "署名",
    "jobs.part": "部分 {part}", "jobs.bench": "ベンチマークを数える", "jobs.benchAbout": "決まった局面の手順数を一秒ほどで数えます。合計は指し手生成の署名で、時間はこの計算機のものです。", "jobs.positions": "{done} 局面", "jobs.positionsOf": "{of} 局面中 {done} 局面",
  },
};
