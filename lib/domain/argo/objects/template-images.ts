import type { Container } from "#lib/domain/acting/plan.ts";
import { isRecord } from "#lib/util/json.ts";

type Fields = Record<string, unknown>;

const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Returns every container of a template, including init and ephemeral ones (cmd/set/set_image.go). */
export function readImages(template: Fields): Container[] {
  const spec = isRecord(template.spec) ? template.spec : {};
  return containerLists.flatMap((list) => {
    const containers: unknown[] = Array.isArray(spec[list]) ? spec[list] : [];
    return containers.flatMap((container) =>
      isRecord(container) && typeof container.name === "string"
        ? [{ name: container.name, image: typeof container.image === "string" ? container.image : "" }]
        : [],
    );
  });
}

/** Returns the template with the image set in the containers of that name, or in all containers for `*`. */
export function withImage({
  template,
  container,
  image,
}: {
  template: Fields;
  container: string;
  image: string;
}): Fields {
  const spec = isRecord(template.spec) ? template.spec : {};
  const changed: Fields = { ...spec };
  for (const list of containerLists) {
    const containers = spec[list];
    if (!Array.isArray(containers)) continue;
    changed[list] = containers.map((one: unknown) =>
      isRecord(one) && (container === "*" || one.name === container) ? { ...one, image } : one,
    );
  }
  return { ...template, spec: changed };
}
