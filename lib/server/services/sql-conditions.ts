/** Collects the conditions and parameters of one query; values never enter the text. */
export type SqlConditions = {
  /** Adds a parameter and returns its placeholder. */
  bind(value: unknown): string;
  /** Adds a condition, given the placeholder of its value; does nothing if the value is undefined. */
  where(value: unknown, condition: (placeholder: string) => string): void;
  /** Adds a condition whose values are already bound. */
  and(condition: string): void;
  text(): string;
  values: unknown[];
};

export function createSqlConditions(first: readonly string[] = []): SqlConditions {
  const conditions = [...first];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  return {
    bind,
    where: (value, condition) => {
      if (value !== undefined) conditions.push(condition(bind(value)));
    },
    and: (condition) => void conditions.push(condition),
    text: () => (conditions.length === 0 ? "true" : conditions.join(" AND ")),
    values,
  };
}

/** Returns a LIKE pattern that finds the literal text anywhere. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
