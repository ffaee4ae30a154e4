import { readText } from "./read-body.ts";

/** Reads an answer of JSON lines, such as `streamRolloutLogLines`, value by value. Name the type of a line. */
export async function* readLines<Line>(response: Pick<Response, "body">): AsyncGenerator<Line, void, undefined> {
  for await (const lines of readArrivedLines<Line>(response, { takesRest: true })) yield* lines;
}

type Options = {
  /** Throws if nothing arrives for so long. */
  silenceMs?: number;
  /** Takes a last line without an end: else it counts as cut, and is left out. */
  takesRest?: boolean;
};

/** Reads JSON lines as they arrive, often several at a time. */
export async function* readArrivedLines<Line>(
  response: Pick<Response, "body">,
  { silenceMs, takesRest = false }: Options,
): AsyncGenerator<Line[], void, undefined> {
  const parse = (lines: string[]) => lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Line);
  let rest = "";
  for await (const text of readText(response, silenceMs)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield parse(lines);
  }
  if (takesRest) yield parse([rest]);
}
