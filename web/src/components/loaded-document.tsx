import type { ReactNode } from "react";
import type { Address } from "../addresses.js";
import { useDocument } from "../api.js";
import { Loading } from "./loading.js";
import { ProblemBox } from "./problem-box.js";

interface LoadedDocumentProps<T> {
  readonly address: Address<T>;
  readonly version?: number;
  readonly children: (data: T) => ReactNode;
}

/** Loads the document of a page; shows that it is loading, or why it cannot be loaded. */
export function LoadedDocument<T>({ address, version, children }: LoadedDocumentProps<T>) {
  const loaded = useDocument(address, version);
  if (loaded.state === "loading") return <Loading />;
  if (loaded.state === "failed")
    return <ProblemBox problem={loaded.problem} status={loaded.status} />;
  return children(loaded.data);
}
