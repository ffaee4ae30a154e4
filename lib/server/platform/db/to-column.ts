/**
 * Drops NUL, which PostgreSQL's text cannot store. The columns only serve filters; the hashed entry keeps the original.
 */
export function toColumn(text: string): string;
export function toColumn(text: string | undefined): string | null;
export function toColumn(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
