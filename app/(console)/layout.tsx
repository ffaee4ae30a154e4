import { ConsoleShell } from "#components/shell/console-shell.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";
import { listDocGroups } from "#lib/server/platform/docs/read-docs.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";

export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  await requirePageActor();
  return (
    <ConsoleShell docs={await listDocs()} hint={await loadHint()}>
      {children}
    </ConsoleShell>
  );
}

async function loadHint(): Promise<React.ReactNode> {
  if (getWebRuntime().config().config.demo?.story !== true) return null;
  const { StoryHint } = await import("#demo/page/story-hint.tsx");
  return <StoryHint />;
}

/** Every page of the documentation once; some are in two groups. */
async function listDocs(): Promise<{ file: string; title: string }[]> {
  const pages = (await listDocGroups()).flatMap((group) => group.pages);
  return [...new Map(pages.map((page) => [page.file, page])).values()];
}
