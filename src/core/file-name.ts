/**
 * Names that Windows reserves for devices, with any extension: `nul.txt` is `NUL`. See "Naming Files, Paths, and
 * Namespaces" in the Windows documentation, which also lists the superscript digits.
 */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?=\.|$)/i;

/** Characters other than letters, marks and digits of any script, `_`, `.` and `-`. */
const UNSAFE = /[^\p{L}\p{M}\p{N}_.-]+/gu;

/**
 * Whether a file or folder of this name can be created on Linux, macOS and Windows, and is listed under the same
 * name on each. Does not check the length.
 */
export function isPortableName(name: string): boolean {
  return (
    name !== "" &&
    name === name.normalize("NFC") &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows rejects them in names.
    !/[\u0000-\u001f\u007f<>:"/\\|?*]|\p{Surrogate}|[. ]$/u.test(name) &&
    !DEVICE.test(name)
  );
}

/**
 * A readable part of a file name: characters that are unsafe on some system or in a shell become `-`. Different
 * texts can give the same part, and it can be empty.
 */
export function readablePart(text: string): string {
  const plain = text
    .normalize("NFC")
    .replace(UNSAFE, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  return DEVICE.test(plain) ? `_${plain}` : plain;
}
