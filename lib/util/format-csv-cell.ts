/**
 * The start of a formula: a sign, also in its full-width or small form, after characters that a spreadsheet skips or
 * that are invisible (spaces, control characters, direction marks, zero-width characters).
 */
const formulaStart =
  /^[\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]|^[\t\r]/u;

/**
 * Formats a cell by RFC 4180; an undefined one is empty. Text that a spreadsheet would read as a formula gets an
 * apostrophe in front, because names, values and reasons are hostile. A number is written as it is.
 */
export function formatCsvCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
