import { MantineProvider } from "@mantine/core";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MissingPage } from "#components/shell/missing-page.tsx";

function linksAt(pathname: string): string[] {
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PathnameContext value={pathname}>
        <MantineProvider>
          <MissingPage />
        </MantineProvider>
      </PathnameContext>
    </AppRouterContext>,
  );
  return [...markup.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href, text]) => `${text}: ${href}`);
}

it.each([
  { pathname: "/audit/first", section: "Go to audit: /audit" },
  { pathname: "/analysis-runs/a/b", section: "Go to analysis runs: /analysis-runs" },
  { pathname: "/action-groups/x", section: "Go to rollouts: /rollouts" },
  { pathname: "/inbox/x", section: "Go to rollouts: /rollouts" },
  { pathname: "/nowhere", section: "Go to rollouts: /rollouts" },
])("leads from $pathname back to its section", ({ pathname, section }) => {
  expect(linksAt(pathname)).toEqual(["Go to inbox: /inbox", section]);
});
