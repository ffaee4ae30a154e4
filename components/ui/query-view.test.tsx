import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { QueryView } from "#components/ui/query-view.tsx";
import { GatehouseError } from "#packages/client/src/gatehouse-error.ts";

const missing = { title: "Analysis run not found" };

function markupOf(list?: string): string {
  const error = new GatehouseError({ code: "not_found", status: 404, detail: "none" });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryView
        what="The run"
        query={{ data: undefined, error, refetch: () => undefined }}
        missing={list === undefined ? missing : { ...missing, list }}
        skeleton={null}
      >
        {() => null}
      </QueryView>
    </MantineProvider>,
  );
}

it("leads from a page without its object back to the list", () => {
  const markup = markupOf("analysis-runs");
  expect(markup).toMatch(/<h1[^>]*>Analysis run not found/);
  expect(markup).toMatch(/href="\/analysis-runs"[^>]*>Go to analysis runs/);
});

it("is no page of its own inside another page", () => {
  expect(markupOf()).not.toMatch(/<h1|Go to/);
});
