/** A value, or upstream's error text. */
export type Outcome<T> = { readonly value: T } | { readonly error: string };
