import { type DocSection, renderDoc, renderInline } from "#components/docs/doc-blocks.tsx";
import classes from "#components/docs/doc-page.module.css";
import { withBasePath } from "#lib/client/base-path.ts";
import { docHref } from "#lib/client/doc-href.ts";

type DocLink = { file: string; title: string };
type DocGroup = { name: string; pages: DocLink[] };

/** Shows a documentation page beside the contents of the whole documentation. */
export function DocPage({ file, text, groups }: { file: string; text: string; groups: DocGroup[] }) {
  const { blocks, sections } = renderDoc({ file, text });
  return (
    <DocFrame groups={groups} file={file} sections={sections}>
      {blocks}
    </DocFrame>
  );
}

/** Lists the pages with decisions. */
export function DecisionList({ decisions, groups }: { decisions: DocLink[]; groups: DocGroup[] }) {
  return (
    <DocFrame groups={groups} file="adr">
      <h1>Decisions</h1>
      <p>Why Gatehouse is built this way, by subject. Each page lists the decisions in force.</p>
      <ul className={classes.plain}>
        {decisions.map(({ file, title }) => (
          <li key={file}>
            <a href={docHref(file)}>{title}</a>
          </li>
        ))}
      </ul>
    </DocFrame>
  );
}

type DocFrameProps = { groups: DocGroup[]; file?: string; sections?: DocSection[]; children: React.ReactNode };

/** Shows the contents beside a page: after it in reading order, and below it on a narrow screen. */
export function DocFrame({ groups, file, sections = [], children }: DocFrameProps) {
  return (
    <div className={classes.page}>
      <main className={classes.text} id="main">
        {groups.length > 0 && (
          <a className={classes.toContents} href="#contents">
            Contents
          </a>
        )}
        {children}
      </main>
      {groups.length > 0 && (
        <nav className={classes.contents} id="contents" aria-label="Documentation">
          {groups.map((group) => (
            <ContentsGroup key={group.name} group={group} file={file} sections={sections} />
          ))}
          <p className={classes.groupName}>
            <a href={withBasePath("/docs/api")}>API reference</a>
          </p>
        </nav>
      )}
    </div>
  );
}

type ContentsGroupProps = { group: DocGroup; file: string | undefined; sections: DocSection[] };

function ContentsGroup({ group: { name, pages }, file, sections }: ContentsGroupProps) {
  return (
    <>
      <p className={classes.groupName}>{name}</p>
      <ul>
        {pages.map((page) => (
          <li key={page.file}>
            <a href={docHref(page.file)} aria-current={page.file === file ? "page" : undefined}>
              {page.title}
            </a>
            {page.file === file && sections.length > 0 && <Sections file={file} sections={sections} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Sections({ file, sections }: { file: string; sections: DocSection[] }) {
  return (
    <ul className={classes.sections}>
      {sections.map(({ id, tokens }) => (
        <li key={id}>
          <a href={`#${id}`}>{renderInline(tokens, file)}</a>
        </li>
      ))}
    </ul>
  );
}
