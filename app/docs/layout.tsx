import { DocHeader } from "#components/docs/doc-header.tsx";

export default function DocsLayout({ children }: { children: React.ReactNode }) {
  return (
    <>
      <DocHeader />
      {children}
    </>
  );
}
