import type { PageProps } from "../../route.js";

export function ComparePage(_: PageProps & Record<string, unknown>) {
  return <p>compare</p>;
}
