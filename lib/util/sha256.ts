import { hash } from "node:crypto";

/** Returns the SHA-256 of the text's UTF-8 bytes as 64 lowercase hex digits. A lone surrogate counts as U+FFFD. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}
