import type { ConfigItem } from "#components/ui/config-snippet.tsx";

/** Returns a config with these items, each as the only one of its list. */
export function nestItems(items: readonly ConfigItem[]): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { list, item } of items) {
    const [first = "", second] = list.split(".");
    config[first] = second === undefined ? [item] : { ...(config[first] as object | undefined), [second]: [item] };
  }
  return config;
}
