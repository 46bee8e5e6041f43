import type { PageProps } from "../../route.js";

export function RunsPage(_: PageProps & Record<string, unknown>) {
  return <p>runs</p>;
}
