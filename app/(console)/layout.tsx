import { ConsoleShell } from "#components/shell/console-shell.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";
import { listDocGroups } from "#lib/server/platform/docs/read-docs.ts";

export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  await requirePageActor();
  return <ConsoleShell docs={await listDocs()}>{children}</ConsoleShell>;
}

/** Every page of the documentation once; some are in two groups. */
async function listDocs(): Promise<{ file: string; title: string }[]> {
  const pages = (await listDocGroups()).flatMap((group) => group.pages);
  return [...new Map(pages.map((page) => [page.file, page])).values()];
}
