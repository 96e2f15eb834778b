/** Decodes the array responses of tb_nanwatch/plugin/http_api.md. */

import type { Bytes, Floats } from "./types";

type Header = { dtype: string; rows: number; columns: number; steps: number[]; names: string[] };

export class WireError extends Error {}

export function decodeFloats(buffer: ArrayBuffer): Floats {
  const { header, offset } = decode(buffer, "float32", 4);
  return { ...header, values: new Float32Array(buffer, offset, header.rows * header.columns) };
}

export function decodeBytes(buffer: ArrayBuffer): Bytes {
  const { header, offset } = decode(buffer, "uint8", 1);
  return { ...header, values: new Uint8Array(buffer, offset, header.rows * header.columns) };
}

function decode(buffer: ArrayBuffer, dtype: string, size: number): { header: Header; offset: number } {
  if (buffer.byteLength < 4) throw new WireError("the answer ends before its header");
  const length = new DataView(buffer).getUint32(0, true);
  const offset = 4 + length;
  if (offset > buffer.byteLength) throw new WireError("the answer ends within its header");
  const header = readHeader(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.dtype !== dtype) throw new WireError(`the answer holds ${header.dtype}; expected ${dtype}`);
  if (header.steps.length !== header.rows) throw new WireError("the answer has not one step for each row");
  if (offset + header.rows * header.columns * size !== buffer.byteLength) {
    throw new WireError("the answer's length doesn't match its shape");
  }
  return { header, offset };
}

function readHeader(text: string): Header {
  const header: unknown = JSON.parse(text);
  if (typeof header !== "object" || header === null) throw new WireError("the answer's header is no object");
  const { dtype, shape, steps, columns } = header as Record<string, unknown>;
  if (typeof dtype !== "string" || !isNumbers(shape) || !isNumbers(steps) || shape.length !== 2) {
    throw new WireError("the answer's header lacks its type, shape or steps");
  }
  const names = Array.isArray(columns) ? columns.map(String) : [];
  return { dtype, rows: shape[0] ?? 0, columns: shape[1] ?? 0, steps, names };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === "number");
}
