import { createReadStream } from "node:fs";

/**
 * Reads the lines of a UTF-8 file, without their ends. Only a line feed ends a line: `node:readline` also splits at
 * U+2028 and U+2029, which JSON may contain as they are.
 */
export async function* readFileLines(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
