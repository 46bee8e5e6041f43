import type { PageProps } from "../../route.js";

export function RunPage(_: PageProps & Record<string, unknown>) {
  return <p>run</p>;
}
