import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ListSection } from "#components/settings/list-section.tsx";

it("labels each value with the title of its column, and neither the name of the row nor its button", () => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <ListSection
        id="keys"
        title="Keys"
        what="The keys"
        list={{
          items: [{ id: "a", role: "viewer" }],
          error: null,
          retry: () => {},
          hasMore: false,
          isLoadingMore: false,
          loadMore: () => {},
          isPlaceholder: false,
        }}
        empty={{ icon: null, title: "None", hint: "None" }}
        columns={[
          { header: "Name", isName: true, cell: ({ id }) => id },
          { header: "Role", cell: ({ role }) => role },
        ]}
        act={{ header: "Revoke it", cell: () => "Revoke" }}
      />
    </MantineProvider>,
  );
  expect([...markup.matchAll(/data-label="([^"]*)"[^>]*>([^<]*)</g)].map((found) => found.slice(1))).toEqual([
    ["Role", "viewer"],
  ]);
});
