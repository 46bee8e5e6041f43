let listener: (() => void) | undefined;

/** Registers a callback that is called before each bounded chunk of a file is read. */
export function onProgress(callback: () => void): void {
  listener = callback;
}

export function noteProgress(): void {
  listener?.();
}
