import { expect, it } from "vitest";
import { Revisions } from "./revisions.js";

it("revisions list changed and deleted runs in the order of their last changes", () => {
  const revisions = new Revisions();
  for (const id of ["a", "b", "c"]) revisions.change(id);
  const then = revisions.now;
  expect(revisions.changedSince(then)).toEqual([]);
  revisions.change("b");
  revisions.remove("a");
  revisions.change("b");
  expect(revisions.changedSince(then)).toEqual(["a", "b"]);
  expect(revisions.changedSince(revisions.now)).toEqual([]);
});

it("revisions list all runs for an unknown revision or none", () => {
  const revisions = new Revisions();
  for (const id of ["a", "b"]) revisions.change(id);
  revisions.remove("a");
  const [index = ""] = revisions.now.split(".");
  const other = new Revisions().now;
  for (const since of [undefined, "", other, index, `${index}.x`, `${index}.-1`, `${index}.99`]) {
    expect(revisions.changedSince(since), since).toEqual(["b"]);
  }
});

it("revisions list all runs for a revision older than the remembered deletions", () => {
  const revisions = new Revisions();
  revisions.change("stays");
  const then = revisions.now;
  for (let i = 0; i <= 10_000; i++) revisions.remove(`gone-${i}`);
  expect(revisions.changedSince(then)).toEqual(["stays"]);
  const later = revisions.now;
  revisions.remove("last");
  expect(revisions.changedSince(later)).toEqual(["last"]);
});
