import { MissingPage } from "#components/shell/missing-page.tsx";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return <MissingPage />;
}
