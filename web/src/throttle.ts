import { useEffect, useRef, useState } from "react";

/** A value that is updated at most every `ms` milliseconds. */
export function useThrottled<T>(value: T, ms: number): T {
  const [held, setHeld] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + ms - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setHeld(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return held;
}
