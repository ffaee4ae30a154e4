import { ForbiddenPage } from "#components/admin/forbidden-page.tsx";

export default function Forbidden() {
  return <ForbiddenPage />;
}
