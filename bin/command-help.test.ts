import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandName, commandHelp, formatCommandHelp, formatOverview } from "./command-help.ts";

const names = Object.keys(commandHelp) as CommandName[];

/** Returns the flags that the command's own file parses. */
function parsedFlags(name: CommandName): string[] {
  const source = readFileSync(join(import.meta.dirname, "commands", `${name}.ts`), "utf8");
  return [...source.matchAll(/^ *"?([a-z-]+)"?: \{ type: "(?:string|boolean)"|[{,] "?([a-z-]+)"?: \{ type: "/gm)].map(
    ([, own, inline]) => `--${own ?? inline}`,
  );
}

describe("the help of a command", () => {
  it.each(names)("%s names every flag that it takes", (name) => {
    const text = formatCommandHelp(name);
    expect([...new Set(parsedFlags(name))].filter((flag) => !text.includes(flag))).toEqual([]);
  });

  it.each(names)("%s names no flag that it does not take", (name) => {
    const shown = [...formatCommandHelp(name).matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
    expect(shown.filter((flag) => !parsedFlags(name).includes(flag))).toEqual([]);
  });

  it("is listed for all of them", () => {
    for (const name of names) expect(formatOverview()).toContain(`  ${name}`);
  });
});
