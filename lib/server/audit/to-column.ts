/** The columns serve filters only, and PostgreSQL's text has no NUL: the hashed entry keeps what was said. */
export function toColumn(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
