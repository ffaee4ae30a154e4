/** The parts of a schema in the OpenAPI document that are read here. */
export type DocumentSchema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, DocumentSchema>;
  required?: string[];
  additionalProperties?: boolean | DocumentSchema;
  items?: DocumentSchema;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  allOf?: DocumentSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
};

/**
 * Writes a schema as a TypeScript type, with descriptions as comments. Constraints that a type cannot express, such as
 * bounds, are left out.
 */
export function describeSchema(schema: DocumentSchema, indent = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return join(choices, " | ", indent);
  if (schema.allOf !== undefined) return join(schema.allOf, " & ", indent);
  if (Array.isArray(schema.type))
    return join(
      schema.type.map((type) => ({ ...schema, type })),
      " | ",
      indent,
    );
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const item = describeSchema(schema.items ?? {}, indent);
      return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case "object":
      return describeObject(schema, indent);
    default:
      return "unknown";
  }
}

function join(schemas: readonly DocumentSchema[], by: string, indent: string): string {
  return [...new Set(schemas.map((schema) => describeSchema(schema, indent)))].join(by);
}

function describeObject({ properties, required, additionalProperties }: DocumentSchema, indent: string): string {
  const members = Object.entries(properties ?? {});
  if (members.length === 0 && typeof additionalProperties === "object")
    return `Record<string, ${describeSchema(additionalProperties, indent)}>`;
  if (members.length === 0) return "Record<string, never>";
  const inner = `${indent}  `;
  const lines = members.flatMap(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const mark = required?.includes(name) === true ? "" : "?";
    const comment = member.description?.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
    return [
      ...(comment === undefined ? [] : [`${inner}/** ${comment} */`]),
      `${inner}${key}${mark}: ${describeSchema(member, inner)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}
