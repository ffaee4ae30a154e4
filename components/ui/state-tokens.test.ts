import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type StateHue, stateHues, stateTokens } from "#components/ui/state-tokens.ts";

const surfaces = { light: ["#ffffff", "#f5f6f7"], dark: ["#11181d", "#0c1216", "#182027"] };

describe("state tokens", () => {
  const cases = (Object.keys(stateHues) as StateHue[]).flatMap((hue) => [
    { hue, scheme: "light" as const },
    { hue, scheme: "dark" as const },
  ]);

  it.each(cases)("text of $hue is readable in $scheme, on its tint and on every surface", ({ hue, scheme }) => {
    const { text, tint } = stateHues[hue][scheme];
    for (const background of [tint, ...surfaces[scheme]])
      expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(cases)("marks of $hue stand out in $scheme", ({ hue, scheme }) => {
    for (const background of surfaces[scheme]) {
      expect(contrast(stateHues[hue][scheme].mark, background)).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(Object.keys(stateHues))("global.css has the variables of %s", (hue) => {
    const css = readFileSync(join(import.meta.dirname, "global.css"), "utf8");
    const [, rule = ""] = css.split(`[data-hue="${hue}"] {`);
    for (const part of ["text", "tint", "mark"])
      expect(rule.split("}")[0]).toContain(`--hue-${part}: var(--gh-${hue}-${part});`);
  });

  it("gives every state its own shape, so that the page reads in greyscale", () => {
    const shapes = Object.values(stateTokens).map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

/** Computes the contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
