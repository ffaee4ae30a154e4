import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LinkList } from "#components/ui/link-list.tsx";
import type { Link } from "#lib/contract/common.ts";

function render(links: Link[], most?: number): string {
  const shown = most === undefined ? {} : { most };
  return renderToStaticMarkup(
    <MantineProvider>
      <LinkList links={links} about="checkout" {...shown} />
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

it("opens a new tab that learns nothing of this one, and says so", () => {
  const markup = render([{ name: "Logs", href: "https://logs.example/x", source: "config" }]);
  for (const part of [
    'href="https://logs.example/x"',
    'target="_blank"',
    'rel="noopener noreferrer nofollow"',
    'aria-label="Logs: checkout (opens in a new tab)"',
  ])
    expect(markup).toContain(part);
  expect(markup).not.toContain("logs.example</");
});

it("shows the host of a link from the cluster, as it is spelled in the network", () => {
  const markup = render([{ name: "Gatehouse", href: "https://gateh\u043euse.example/", source: "annotation" }]);
  expect(markup).toMatch(/>xn--[\w-]+\.example</);
});

it("shows the first of many", () => {
  const links = ["a", "b", "c"].map((name): Link => ({ name, href: `https://${name}.example/`, source: "config" }));
  expect(render(links, 2).match(/<a /g)).toHaveLength(2);
});
