// Tables that other programs read.

/** Rows as CSV. A text that a table program would take for a formula has an apostrophe before it; a number is none. */
export function csv(rows) {
  const cell = (value) => {
    const plain = value === null || value === undefined ? "" : String(value);
    const isFormula = /^[=+\-@＝＋－＠\t\r]/.test(plain) && !/^[+-]?\d[\d.]*$/.test(plain);
    const text = isFormula ? `'${plain}` : plain;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
