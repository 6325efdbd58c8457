export default {
  en: {
    "shell.skip": "To the content", "shell.play": "Play", "shell.games": "Games", "shell.analyze": "Analyze", "shell.learn": "Learn",
    "shell.records": "Records", "shell.study": "Study", "shell.jobs": "Jobs", "shell.theme": "Light or dark",
    "shell.failed": "This part of the page could not be shown.", "shell.parts": "Parts of the laboratory",
    "shell.gone": "The laboratory does not answer.", "shell.goneHint": "Start it again with `ashta`; nothing is lost.", "shell.nothing": "There is nothing at this address.", "shell.toPlay": "To the board", "shell.again": "Try again",
    "save": "Save", "cancel": "Cancel", "close": "Close", "delete": "Delete", "copied": "Copied", "loading": "Loading…", "variation": "Variation", "result.won": "{side} won", "result.draw": "Draw", "result.unknown": "Unknown", "result.tags": "What the record says",
  },
  ja: {
    "shell.skip": "本文へ", "shell.play": "対局", "shell.games": "ゲーム", "shell.analyze": "分析", "shell.learn": "学習",
    "shell.records": "棋譜", "shell.study": "研究", "shell.jobs": "作業", "shell.theme": "明るさの切り替え",
    "shell.failed": "この部分を表示できませんでした。", "shell.parts": "研究室の部屋",
    "shell.gone": "研究室が応答しません。", "shell.goneHint": "`ashta` でもう一度始めてください。何も失われません。", "shell.nothing": "このアドレスには何もありません。", "shell.toPlay": "盤へ", "shell.again": "もう一度",
    "save": "保存", "cancel": "取り消し", "close": "閉じる", "delete": "削除", "copied": "コピーしました", "loading": "読み込み中…", "variation": "変化手順", "result.won": "{side}の勝ち", "result.draw": "引き分け", "result.unknown": "不明", "result.tags": "棋譜の情報",
  },
};
