import { DocFrame } from "#components/docs/doc-page.tsx";
import { docHref } from "#lib/client/doc-href.ts";
import { listDocGroups } from "#lib/server/platform/docs/read-docs.ts";

export const metadata = { title: "Not found" };

export default async function NotFound() {
  const groups = await listDocGroups();
  return (
    <DocFrame groups={groups}>
      <h1>Page not found</h1>
      {groups.length > 0 ? (
        <p>
          The documentation of this version has no such page. <a href={docHref("README.md")}>See all pages</a>.
        </p>
      ) : (
        <p>This installation has no documentation: the folder docs is missing beside the program.</p>
      )}
    </DocFrame>
  );
}
