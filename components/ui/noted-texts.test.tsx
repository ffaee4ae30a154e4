import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NotedTexts } from "#components/ui/noted-texts.tsx";

function render(texts: Record<string, string>): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <NotedTexts texts={texts} label="Noted" />
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

it("names each text, and shows none as a list", () => {
  expect(render({ "job-name": "check", "job-namespace": "shop" }).replaceAll(/<[^>]*>/g, " ")).toMatch(
    /^\s*job-name\s+check\s+job-namespace\s+shop\s*$/,
  );
  expect(render({})).toBe("");
});

it("folds a long text, and one with several lines", () => {
  expect(render({ analysis: "short" })).not.toContain("<details>");
  for (const text of ["x".repeat(161), "one\ntwo"]) {
    const markup = render({ analysis: text });
    expect(markup).toContain("<details>");
    expect(markup).toContain(text);
  }
});

it("takes markup in a text as text", () => {
  expect(render({ "<b>": "<script>alert(1)</script>" })).not.toMatch(/<(b|script)>/);
});
