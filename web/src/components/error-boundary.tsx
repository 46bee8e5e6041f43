import { Component, type ReactNode } from "react";
import { problemOf } from "../api.js";
import { ProblemBox } from "./problem-box.js";

/** Shows an error of a page instead of a blank screen. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemBox problem={problemOf(error).problem} />;
  }
}
