const esc = "\u001b";
/** Colours, cursor movements and titles: CSI, OSC (ended by BEL or ST) and the short sequences. */
const sequences = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|${esc}[\\]PX^_][^\\u0007${esc}]*(?:\\u0007|${esc}\\\\)?|${esc}[ -/]*[0-~]|\\u009b[0-?]*[ -/]*[@-~]`,
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Makes a line of a log safe to look at: without the sequences that a terminal obeys, and with every other control
 * character visible, those that turn the direction of the text included. Tabs stay.
 */
export function cleanLogText(text: string): string {
  return text.replaceAll(sequences, "").replaceAll(controls, showControl);
}

function showControl(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // The pictures that Unicode has for them.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
