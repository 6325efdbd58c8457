// What boards of crossing lines show besides their lines, read from the regions of the game's file: a square block of a
// region is a palace with its two diagonals, a region that is a half of the board lies at a river.

/** Whether there is a river in the middle, and the diagonals of palaces as pairs of squares. */
export function landmarks(sheet) {
  const section = /^\[regions\]$([^[]*)/m.exec(sheet.source ?? "")?.[1] ?? "";
  const regions = [...section.matchAll(/^[\w-]+ *= *"([^"]*)"/gm)].map((found) => found[1]);
  const half = sheet.ranks / 2;
  const river = regions.includes(`ranks 1-${half}`) && regions.includes(`ranks ${half + 1}-${sheet.ranks}`);
  const palaces = regions.flatMap((region) => diagonals(sheet, region));
  return { river, palaces };
}

function diagonals(sheet, region) {
  const block = /^([a-z])(\d+)-([a-z])(\d+)$/.exec(region);
  if (!block) return [];
  const [left, right] = [block[1], block[3]].map((label) => sheet.file_labels.indexOf(label));
  const [bottom, top] = [block[2], block[4]].map((label) => sheet.rank_labels.indexOf(label));
  if (Math.min(left, right, bottom, top) < 0) return [];
  const corners = [
    [
      [left, bottom],
      [right, top],
    ],
    [
      [left, top],
      [right, bottom],
    ],
  ];
  const turned = corners.map((ends) => ends.map(([x, y]) => [sheet.files - 1 - x, sheet.ranks - 1 - y]));
  return [...corners, ...turned].map((ends) => ends.map(([x, y]) => sheet.squares[y][x]));
}
