/** A part of a regular expression. An assertion, and a reference to a group, consume nothing. */
export type Part =
  | { kind: "character"; source: string }
  | { kind: "nothing" }
  | { kind: "sequence"; parts: Part[] }
  | { kind: "choice"; options: Part[] }
  | { kind: "look"; body: Part }
  | { kind: "repeat"; body: Part; least: number; most: number };

const classPart = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const escapePart = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])/y;
const groupStart = /\((?:\?(?:[a-z]*(?:-[a-z]+)?:|<[A-Za-z_$][\w$]*>|<?[=!]))?/y;
const repetition = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** Splits the source of a regular expression, which the runtime has accepted, into its parts. */
export function parseRegex(source: string): Part {
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  };

  function readChoice(): Part {
    const options = [readSequence()];
    while (source[at] === "|") {
      at += 1;
      options.push(readSequence());
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  }

  function readSequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(readRepeated());
    return { kind: "sequence", parts };
  }

  function readRepeated(): Part {
    const body = readOne();
    const match = take(repetition);
    if (match === undefined) return body;
    const [sign = "", least, comma, most] = match;
    if (least === undefined)
      return {
        kind: "repeat",
        body,
        least: sign[0] === "+" ? 1 : 0,
        most: sign[0] === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    const upTo = comma === undefined ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", body, least: Number(least), most: upTo };
  }

  function readOne(): Part {
    const start = take(groupStart)?.[0];
    if (start !== undefined) {
      const body = readChoice();
      at += 1;
      return /[=!]$/.test(start) ? { kind: "look", body } : body;
    }
    const text = (take(classPart) ?? take(escapePart))?.[0] ?? String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (!text.startsWith("[") && !text.startsWith("\\")) at += text.length;
    const isNothing = text === "^" || text === "$" || /^\\(?:[bB1-9]$|k<)/.test(text);
    return isNothing ? { kind: "nothing" } : { kind: "character", source: text };
  }

  return readChoice();
}
