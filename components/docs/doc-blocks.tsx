import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment } from "react";
import { CodeExample } from "#components/docs/code-example.tsx";
import classes from "#components/docs/doc-page.module.css";
import { resolveDocLink } from "#components/docs/resolve-doc-link.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { createHeadingAnchors } from "#lib/util/heading-anchors.ts";

export type DocSection = { id: string; tokens: readonly Token[] };
export type DocBlocks = { blocks: React.ReactNode; sections: DocSection[] };

/** The state of rendering a page: counts code and tables, so that each focusable part has its own name. */
type Page = {
  file: string;
  nameHeading: (heading: string) => string;
  sections: DocSection[];
  codes: number;
  tables: number;
};

const codeNames: Readonly<Record<string, string>> = { sh: "Commands", yaml: "YAML", json: "JSON", sql: "SQL" };

/**
 * Renders a page's Markdown as elements, never as HTML text, so that its content cannot become a script. Also returns
 * its second-level headings.
 */
export function renderDoc({ file, text }: { file: string; text: string }): DocBlocks {
  const page: Page = { file, nameHeading: createHeadingAnchors(), sections: [], codes: 0, tables: 0 };
  const blocks = renderBlocks(lexer(text), page);
  return { blocks, sections: page.sections };
}

function renderBlocks(tokens: readonly Token[], page: Page): React.ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes while it is shown
  return tokens.map((token, index) => <Fragment key={index}>{renderBlock(token as MarkedToken, page)}</Fragment>);
}

function renderBlock(token: MarkedToken, page: Page): React.ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return renderHeading(token, page);
    case "paragraph":
      return <p>{renderInline(token.tokens, page.file)}</p>;
    case "list":
      return renderList(token, page);
    case "code":
      return renderCode(token, page);
    case "table":
      return renderTable(token, page);
    case "blockquote":
      return <blockquote>{renderBlocks(token.tokens, page)}</blockquote>;
    case "hr":
      return <hr />;
    case "html":
      return <p>{token.text}</p>;
    default:
      return renderInline([token], page.file);
  }
}

function renderHeading({ depth, text, tokens }: Tokens.Heading, page: Page): React.ReactNode {
  const Heading = `h${depth}` as "h1" | "h2" | "h3" | "h4" | "h5" | "h6";
  const id = page.nameHeading(text);
  if (depth === 2) page.sections.push({ id, tokens });
  return (
    <Heading id={id}>
      {renderInline(tokens, page.file)}
      {depth > 1 && <SectionMark id={id} />}
    </Heading>
  );
}

/** For pointers only: the contents beside the page have these links in words. */
function SectionMark({ id }: { id: string }) {
  const attributes = { className: classes.anchor, href: `#${id}`, "aria-hidden": true, tabIndex: -1 };
  return <a {...attributes}>#</a>;
}

function renderList({ ordered, start, items }: Tokens.List, page: Page): React.ReactNode {
  const entries = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes while it is shown
    <li key={index}>{renderBlocks(item.tokens, page)}</li>
  ));
  return ordered ? <ol start={start === "" ? undefined : start}>{entries}</ol> : <ul>{entries}</ul>;
}

function renderCode({ text, lang = "" }: Tokens.Code, page: Page): React.ReactNode {
  page.codes += 1;
  const name = codeNames[lang.split(" ")[0] ?? ""] ?? "Code";
  return <CodeExample text={text} label={`${name} ${page.codes}`} />;
}

function renderTable({ header, rows }: Tokens.Table, page: Page): React.ReactNode {
  page.tables += 1;
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map((cell, index) => {
      // An empty header cell is not a header.
      const Cell = cell.header && cell.text !== "" ? "th" : "td";
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes while it is shown
        <Cell key={index} scope={Cell === "th" ? "col" : undefined}>
          {renderInline(cell.tokens, page.file)}
        </Cell>
      );
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className={classes.wide} tabIndex={0} aria-label={`Table ${page.tables}`}>
      <table>
        <thead>
          <tr>{cells(header)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes while it is shown
            <tr key={index}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Pages of Gatehouse that the documentation names in code: a Markdown link to them would lead nowhere elsewhere. */
const servedPaths = new Set(["/docs/api", "/api/v1/openapi.json"]);

/** The size of all pictures, in px (scripts/doc-pictures.mjs). */
export const pictureSize = { width: 1280, height: 800 } as const;

/** Renders what stands in a line. `file` is the page's path below `docs/`. HTML is shown as it is written. */
export function renderInline(tokens: readonly Token[] | undefined, file: string): React.ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the text of a page never changes while it is shown
  return tokens?.map((token, index) => <Fragment key={index}>{renderSpan(token as MarkedToken, file)}</Fragment>);
}

function renderSpan(token: MarkedToken, file: string): React.ReactNode {
  const inner = () => renderInline("tokens" in token ? token.tokens : undefined, file);
  switch (token.type) {
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "br":
      return <br />;
    case "codespan": {
      const code = <code>{token.text}</code>;
      if (!servedPaths.has(token.text)) return code;
      const href = withBasePath(token.text);
      return <a href={href}>{code}</a>;
    }
    case "link":
      return (
        <DocLink file={file} to={token.href} text={token.text}>
          {inner()}
        </DocLink>
      );
    case "image":
      return <Picture file={file} at={token.href} alt={token.text} />;
    case "text":
      return token.tokens === undefined ? token.text : inner();
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

type DocLinkProps = { file: string; to: string; text: string; children: React.ReactNode };

function DocLink({ file, to, text, children }: DocLinkProps) {
  const target = resolveDocLink({ file, href: to });
  if (target.kind === "own" || target.kind === "outside") {
    const { href } = target;
    return (
      <a href={href} rel={target.kind === "outside" ? "noreferrer" : undefined}>
        {children}
      </a>
    );
  }
  if (target.kind === "none") return children;
  const isNamed = text.includes(target.path.slice(target.path.lastIndexOf("/") + 1));
  return isNamed ? (
    <span title={`${target.path}, in the source code`}>{children}</span>
  ) : (
    <>
      {children} (<code>{target.path}</code> in the source code)
    </>
  );
}

/** Shows a picture of ours; one from elsewhere would be refused by the Content-Security-Policy. */
function Picture({ file, at, alt }: { file: string; at: string; alt: string }) {
  const target = resolveDocLink({ file, href: at });
  if (target.kind !== "own") return alt;
  const { href } = target;
  // biome-ignore lint/performance/noImgElement: pictures are made in the size that is shown, and images.unoptimized is set
  return <img className={classes.picture} src={href} alt={alt} {...pictureSize} loading="lazy" />;
}
