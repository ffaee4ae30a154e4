import { expect, it } from "vitest";
import { cleanLogText } from "./clean-log-text.ts";

it.each([
  ["plain text, \u{1f680} and \u6f22", "plain text, \u{1f680} and \u6f22"],
  ["\u001b[31m[error]\u001b[0m failed", "[error] failed"],
  ["\u001b[38;2;1;2;3mrgb\u001b[m", "rgb"],
  ["\u001b]0;a title\u0007text", "text"],
  ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["\u001b(Bcharset \u001bMreverse", "charset reverse"],
  ["\u009b2Jclear", "clear"],
  ["a lonely \u001b", "a lonely \u241b"],
  ["tab\tstays", "tab\tstays"],
  ["over\rwrite\u0008\u0000", "over\u240dwrite\u2408\u2400"],
  ["user \u202egpj.exe", "user <U+202E>gpj.exe"],
  ["<script>alert(1)</script> & co", "<script>alert(1)</script> & co"],
])("%j", (text, shown) => {
  expect(cleanLogText(text)).toBe(shown);
});
