/** Splits a typed list: "payments, payments-*" has two names. */
export function splitNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
