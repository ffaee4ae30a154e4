import { expect, it } from "vitest";
import { describeJsonError } from "./json-error.ts";

// The answers of json.Unmarshal, Go 1.26.
it.each([
  ["", "unexpected end of JSON input"],
  [" {", "unexpected end of JSON input"],
  ['"abc', "unexpected end of JSON input"],
  ["NaN", "invalid character 'N' looking for beginning of value"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["[1 2]", "invalid character '2' after array element"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a"}', "invalid character '}' after object key"],
  ['{"a":1 "b"', "invalid character '\"' after object key:value pair"],
  ["1 1", "invalid character '1' after top-level value"],
  ["tru", "invalid character ' ' in literal true (expecting 'e')"],
  ["falsey", "invalid character 'y' after top-level value"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["01", "invalid character '1' after top-level value"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1e+", "invalid character ' ' in exponent of numeric literal"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["\u007f", "invalid character '\\x7f' looking for beginning of value"],
  ["é", "invalid character 'Ã' looking for beginning of value"],
  ["[".repeat(10_001), "invalid character '[' exceeded max depth"],
  ["😀", "invalid character 'ð' looking for beginning of value"],
])("describes %j as Go does", (text, answer) => {
  expect(describeJsonError(text)).toBe(answer);
});
