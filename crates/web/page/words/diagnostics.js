// What is wrong with a game file, in Japanese. The server tells it in English; {} stands for what differs. A sentence that
// is not here is told as it came. The test of the games' page looks each of them up among the sentences of crates/rules.

const SENTENCES = [
  ["a table is wanted here, not {}", "ここには表が必要ですが、{}です"],
  ["the key `{}` is missing", "キー `{}` がありません"],
  ["the table [{}] is missing", "表 [{}] がありません"],
  ["the key `{}` is not known here", "キー `{}` はここでは使えません"],
  ["`{}` must be a whole number from {} to {}, not {}", "`{}` は {} から {} までの整数です（{} は不可）"],
  ["`{}` must be {}, not {}", "`{}` は{}でなければなりませんが、{}です"],
  ["`{}` cannot be `{}`", "`{}` を `{}` にはできません"],
  ["no game is named `{}`", "`{}` というゲームはありません"],
  ["this game has no change named `{}`", "このゲームに `{}` という変更はありません"],
  ["a change must be a table, not {}", "変更は表で書きますが、{}です"],
  ["`include` must be a list, not {}", "`include` は並びで書きますが、{}です"],
  ["`include` lists names of changes", "`include` には変更の名前を並べます"],
  ["changes `{}` and `{}` contradict: both set {}", "変更 `{}` と `{}` は矛盾します。どちらも {} を決めています"],
  ["`extends` is the name of a game, not {}", "`extends` にはゲームの名前を書きますが、{}です"],
  ["`extends` goes round in a circle, or over {} generations", "`extends` が循環しているか、{} 世代を超えています"],
  ["`{}` is not a plain decimal number", "`{}` は普通の十進数ではありません"],
  ["a game file holds no dates", "ゲームのファイルに日付は書けません"],
  ["`{}` must be followed by a name or a range", "`{}` の後には名前か範囲が必要です"],
  ["a region has at least one square", "領域には一つ以上のマスが必要です"],
  ["this board has no {} `{}`", "この盤に{} `{}` はありません"],
  ["`{}` is not a square of this board", "`{}` はこの盤のマスではありません"],
  ["a position starts with its board", "局面は盤から書き始めます"],
  ["the hand `[` is not closed by `]`", "持ち駒の `[` が `]` で閉じていません"],
  ["nothing should follow, but `{}` does", "ここで終わるはずですが、`{}` が続いています"],
  ["more than {} ranks", "段が {} を超えています"],
  ["`{}` is not a number of empty squares", "`{}` は空きマスの数ではありません"],
  ["{} ranks are written, this board has {}", "{} 段書かれていますが、この盤は {} 段です"],
  ["this game has no pieces in hand", "このゲームに持ち駒はありません"],
  ["`{}` is not a number of pieces", "`{}` は駒の数ではありません"],
  ["a {} cannot be in hand", "{} は持ち駒にできません"],
  ["more than {} pieces of one kind in hand", "同じ種類の持ち駒が {} 枚を超えています"],
  ["`{}` is no castling of this game", "`{}` というキャスリングはこのゲームにありません"],
  ["a square is wanted after `@`", "`@` の後にはマスが必要です"],
  ["no piece has a first-move right on this square", "このマスに、最初の一手の権利を持つ駒はありません"],
  ["the side to move is {}, not `{}`", "手番は {} と書きます（`{}` は不可）"],
  ["`{}` is not a count of moves", "`{}` は手数ではありません"],
  ["rank {} has {} squares, this board has {} files", "段 {} は {} マスですが、この盤は {} 筋です"],
  ["rank {} has more than {} squares", "段 {} が {} マスを超えています"],
  ["`{}` is no piece of this game", "`{}` という駒はこのゲームにありません"],
  ["`{}` is not a letter of Betza's notation", "`{}` はベツァ記法の文字ではありません"],
  ["no movement is written", "動きが書かれていません"],
  ["modifiers must be followed by an atom such as W or R", "修飾の後には W や R のような基本の動きが必要です"],
  ["a single step has nothing to hop over: give it a range, or ride (R, B)", "一歩の動きには跳び越すものがありません。範囲を付けるか、走り駒（R、B）にしてください"],
  ["`n` (lame) is for one leap of two squares or more, such as nN or nD", "`n`（塞がる跳び）は nN や nD のような二マス以上の一跳びに付けます"],
  ["`p` and `j` need a straight line to find the piece in between", "`p` と `j` は、間の駒を見つけるための直線が必要です"],
  ["a bent rider is written t[XY], such as t[FR]: one step as F, then on as R", "曲がる走り駒は t[XY] と書きます。t[FR] は F の一歩の後に R で進みます"],
  ["a bent rider can be neither lame nor a hopper", "曲がる走り駒は、塞がる跳びにも跳び越しにもできません"],
  ["the second leg of a bent rider is R or B", "曲がる走り駒の後半は R か B です"],
  ["a range is 0 (no limit) to {}, not {}", "範囲は 0（無制限）から {} までです（{} は不可）"],
  ["multi-leg moves (`a`, as of the lion) are not supported yet", "何段にもわたる動き（獅子などの `a`）にはまだ対応していません"],
  ["`{}` is not a modifier; modifiers are fblrvsh, mceinjp and t", "`{}` は修飾ではありません。修飾は fblrvsh、mceinjp、t です"],
  ["`e` (en passant) is a capture, and `m` forbids captures", "`e`（通過取り）は取る手ですが、`m` は取ることを禁じます"],
  ["`{}` is not an atom; atoms are {} and R B Q K", "`{}` は基本の動きではありません。基本の動きは {} と R B Q K です"],
  ["`h` (half) follows one of f b l r, as in fhN", "`h`（半分）は fhN のように f b l r の後に付けます"],
  ["[sides] needs names and letters of 2 or 4 sides, and as many teams if it has any", "[sides] には二人または四人分の names と letters が必要です（teams を書くなら同じ数）"],
  ["a side's letter is one lower-case letter", "対局者の文字は小文字一つです"],
  ["two sides cannot have the same letter", "二人の対局者が同じ文字を持つことはできません"],
  ["four sides need a square board, which each can turn to itself", "四人で指すには、四方から同じに見える正方形の盤が必要です"],
  ["a region is a text of squares, or a list with one text for each side", "領域はマスを書いた文字列、または対局者ごとの文字列の並びです"],
  ["a castling is one capital letter and a text", "キャスリングは大文字一つと文字列です"],
  ["`{}` is the same castling as `{}`", "`{}` は `{}` と同じキャスリングです"],
  ["{} castlings, and 30 is the most", "キャスリングが {} ありますが、30 までです"],
  ["castling is for games of two sides", "キャスリングは二人のゲームだけのものです"],
  ["a castling is two ways, the royal piece's and its partner's", "キャスリングは二つの道、王の道と相手の駒の道です"],
  ["a castling keeps to one rank", "キャスリングは一つの段の中で行います"],
  ["the royal piece and its partner begin on one square", "王と相手の駒が同じマスから始まっています"],
  ["the royal piece and its partner end on one square", "王と相手の駒が同じマスで終わっています"],
  ["nobody moves in this castling", "このキャスリングでは誰も動きません"],
  ["`{}` is too much: a way is two squares", "`{}` は余分です。道は二つのマスです"],
  ["[{}] is a part of a contest", "[{}] は勝ち抜き戦（contest）の一部です"],
  ["points of a throne count twice where none are counted", "点を数えないゲームで、王座の点を二倍にしています"],
  ["a throne is a partner's, and sides of a game for two have none", "王座は味方のもので、二人のゲームにはありません"],
  ["`faces` is a list of up to {} different numbers from 1 to 20", "`faces` は 1 から 20 までの異なる数を {} 個まで並べます"],
  ["a block has at least two squares and one kind of piece", "ブロックには二つ以上のマスと一種類以上の駒が必要です"],
  ["a number of pieces from 0 to 255 is wanted here", "ここには 0 から 255 までの駒の数が必要です"],
  ["{} has a number, and no dice are thrown", "{} に目がありますが、さいころを振りません"],
  ["{} promotes under conditions, which only contests have", "{} の成りに条件がありますが、それは contest だけのものです"],
  ["in a contest royal pieces are captured", "contest では王を取ります"],
  ["a contest ends by royal pieces, bare royal pieces or its length alone", "contest は、王、裸の王、長さだけで終わります"],
  ["in a contest a bare royal piece is a draw", "contest では裸の王は引き分けです"],
  ["{} may be dropped, and contests have no hands", "{} を打てることになっていますが、contest に持ち駒はありません"],
  ["in a contest {} promotes where its move ends", "contest では、{} は手の終わりのマスで成ります"],
  ["in a contest {} cannot have a first move of its own", "contest では、{} に最初の一手だけの動きは持てません"],
  ["in a contest {} cannot capture in passing", "contest では、{} は通過取りができません"],
  ["{} has no number, so no throw can move it", "{} に目がないので、どの目でも動かせません"],
  ["{} has the number {}, which is on no die", "{} の目 {} は、さいころにありません"],
  ["checkmate is a rule for two sides", "詰みは二人のゲームの規則です"],
  ["material is the pieces of two sides with ` v ` between them", "駒の組は、二人の駒を ` v ` でつないで書きます"],
  ["each side's material must have a royal piece", "それぞれの駒の組に王が必要です"],
  ["an impasse rule is for two sides and needs first-points and second-points", "持将棋の規則は二人のゲームのもので、first-points と second-points が必要です"],
  ["no region is named `{}`", "`{}` という領域はありません"],
  ["no piece is named `{}`", "`{}` という駒はありません"],
  ["{} kinds may be in hand, and {} is the most", "持ち駒になる種類が {} ありますが、{} までです"],
  ["more than {} kinds of piece", "駒の種類が {} を超えています"],
  ["`{}` cannot be a piece's letter", "`{}` は駒の文字にできません"],
  ["`{}` is already the letter of {}", "`{}` は既に {} の文字です"],
  ["pieces are never in hand in this game, so none is dropped", "このゲームに持ち駒はないので、駒を打てません"],
  ["`{}` is one text, or a list with one for each side", "`{}` は一つの文字列、または対局者ごとの並びです"],
  ["`e` (en passant) goes with captures only", "`e`（通過取り）は取る手だけに付けます"],
  ["`by-file` needs {} names, one for each file", "`by-file` には筋ごとに {} 個の名前が必要です"],
  ["a promotion needs either `to` or `by-file`", "成りには `to` か `by-file` が必要です"],
  ["more than 32 pieces have rights that depend on not having moved", "動いていないことで権利を持つ駒が 32 を超えています"],
  ["castling `{}` needs {}'s royal piece on {} and a piece on {}, and the start has not both", "キャスリング `{}` には、{} の王が {} に、駒が {} に必要ですが、初期配置にそろっていません"],
  ["{} starts without a royal piece", "{} は王なしで始まります"],
  // Hints.
  ["did you mean `{}`?", "`{}` のことですか。"],
  ["it can be {}", "{} のどれかです"],
  ["known keys are {}", "使えるキーは {} です"],
  ["it offers no changes at all", "変更は一つもありません"],
  ["it offers {}", "{} があります"],
  ["switch on one of them", "どちらか一つを選んでください"],
  ["leave one of them out", "どちらかを省いてください"],
  ["leave `{}` out", "`{}` を省いてください"],
  ["such as {}", "例：{}"],
  ["write number = one of {} for it", "number = に {} のどれかを書いてください"],
  ["regions look like `{}`, `{}`, `{}` or `{}`", "領域は `{}`、`{}`、`{}`、`{}` のように書きます"],
  ["goal = \"points\" counts them", "goal = \"points\" なら数えます"],
  ["mark one kind `royal = true` and put it on the board", "一種類を `royal = true` として盤に置いてください"],
  ["state [castling] for this array, or castling = \"none\"", "この配置のための [castling] か、castling = \"none\" を書いてください"],
  ["one capital letter, `+` before it for a promoted piece, ' or ! after it for a second set", "大文字一つ。成駒には前に `+`、二組目には後に ' か ! を付けます"],
  ["CONTRIBUTING.md has a page on Betza's notation", "下の「動きの書き方」を見てください"],
  ["games of the library are listed by `ashta games`; a file extends one of them", "「一覧」にあるゲームの一つを引き継げます"],
  ["with four sides, write royal = \"capture\"", "四人のときは royal = \"capture\" と書きます"],
  ["take repetition, quiet, insufficient and impasse out of [ends]", "[ends] から repetition、quiet、insufficient、impasse を除いてください"],
  ["write {}", "次のように書きます：{}"],
];

/** What stands for {} and is words, too. */
const WORDS = { "a text": "文字列", "a number": "数", "true or false": "true か false", "a list": "並び", "a table": "表", "a text or a list of texts": "文字列か文字列の並び", rank: "段", file: "筋" };
/** Sentences that hold another. */
const AROUND = [[/^with the change `([^`]*)`: (.*)$/s, "変更 `{}` を入れると：{}"], [/^(in the start position): (.*)$/s, "初期配置：{1}"]];

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const known = SENTENCES.map(([english, japanese]) => [new RegExp(`^${english.split("{}").map(escaped).join("(.+?)")}$`, "s"), japanese]);

function fill(text, parts) {
  let next = 0;
  return text.replace(/\{(\d?)\}/g, (_, at) => parts[at === "" ? next++ : Number(at)]);
}

/** A sentence about a game file in Japanese, where it is known. */
export function diagnosed(sentence) {
  for (const [pattern, japanese] of AROUND) {
    const found = pattern.exec(sentence);
    if (found) return fill(japanese, [found[1], diagnosed(found[2])]);
  }
  for (const [pattern, japanese] of known) {
    const found = pattern.exec(sentence);
    if (found) return fill(japanese, found.slice(1).map((part) => WORDS[part] ?? part));
  }
  return sentence;
}

/** The English sentences that are known. */
export const sentences = SENTENCES.map(([english]) => english);
