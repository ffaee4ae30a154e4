import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RightsSection } from "#components/settings/rights-section.tsx";
import { queryKeys } from "#lib/client/query-keys.ts";
import type { Me } from "#lib/contract/system.ts";

const inAccounts = { clusters: ["prod"], namespaces: ["accounts"], rollouts: ["*"] };
const me: Me = {
  name: "oncall",
  subject: "1",
  issuer: "https://login.example.com",
  role: "operator",
  username: "oncall",
  groups: [],
  clusterIdentities: [],
  token: null,
  session: null,
  demo: false,
  faults: false,
  grants: [
    {
      role: "operator",
      scope: inAccounts,
      actions: ["*"],
      breakGlass: true,
      through: "binding",
      secondPerson: [{ rule: "two of us", actions: ["promote-full"], scope: inAccounts, expireMinutes: 60 }],
    },
  ],
};

function textOf(data: Me): string {
  const client = new QueryClient();
  client.setQueryData(queryKeys.me(), data);
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <RightsSection />
      </QueryClientProvider>
    </MantineProvider>,
  )
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

it("says in words what one may do, and where", () => {
  const text = textOf(me);
  expect(text).toContain("Operator in accounts/* of cluster prod promote-full requires a second person");
  expect(text).toContain("can override a freeze (break-glass)");
});

it("says where there is nothing", () => {
  expect(textOf({ ...me, grants: [] })).toContain("nowhere: the role bindings of this token");
});
