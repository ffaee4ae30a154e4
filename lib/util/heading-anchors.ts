/**
 * Returns a function that names the headings of one document, in their order, as GitHub does: a repeated name gets a
 * number. It takes the heading as Markdown.
 */
export function createHeadingAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function slugOf(heading: string): string {
  const shown = heading.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1").toLowerCase();
  return shown.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}
