type ManagedField = { manager: string; time: string; subresource: string; fields: string };

/**
 * The field manager whose write made `current` out of `previous`: of the entries of managedFields that changed, the one
 * with the newest time, and within a second the one whose fields grew. Undefined where that
 * leaves a doubt, or none is kept.
 */
export function computeWriter({ current, previous }: { current: unknown; previous: unknown }): string | undefined {
  const before = new Map(readManagedFields(previous).map((entry) => [identityOf(entry), entry]));
  const entries = readManagedFields(current);
  const changed = entries.filter((entry) => {
    const old = before.get(identityOf(entry));
    return old === undefined || old.time !== entry.time || old.fields !== entry.fields;
  });
  const grownBy = (entry: ManagedField): number =>
    entry.fields.length - (before.get(identityOf(entry))?.fields.length ?? 0);
  const [newest] = changed.toSorted((one, other) =>
    one.time === other.time ? grownBy(other) - grownBy(one) : one.time < other.time ? 1 : -1,
  );
  return newest === undefined ? soleNewest(entries) : newest.manager;
}

/** A write of the same fields within the same second leaves no trace but this: its entry is as new as any. */
function soleNewest(entries: readonly ManagedField[]): string | undefined {
  const time = entries
    .map((entry) => entry.time)
    .toSorted()
    .at(-1);
  const managers = new Set(entries.filter((entry) => entry.time === time).map((entry) => entry.manager));
  return managers.size === 1 ? [...managers][0] : undefined;
}

function identityOf(entry: ManagedField): string {
  return `${entry.manager}\n${entry.subresource}`;
}

function readManagedFields(list: unknown): ManagedField[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (item === null || typeof item !== "object" || !("manager" in item) || typeof item.manager !== "string")
      return [];
    return [
      {
        manager: item.manager,
        time: "time" in item && typeof item.time === "string" ? item.time : "",
        subresource: "subresource" in item && typeof item.subresource === "string" ? item.subresource : "",
        fields: "fieldsV1" in item ? JSON.stringify(item.fieldsV1) : "",
      },
    ];
  });
}
