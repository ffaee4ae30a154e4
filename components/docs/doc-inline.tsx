import type { MarkedToken, Token } from "marked";
import { Fragment } from "react";
import classes from "#components/docs/doc-page.module.css";
import { resolveDocLink } from "#components/docs/resolve-doc-link.ts";
import { withBasePath } from "#lib/client/base-path.ts";

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
