import { notFound } from "next/navigation";

/** Answers every address without a page, so that its visitor keeps the shell. */
export default function MissingPage(): never {
  notFound();
}
