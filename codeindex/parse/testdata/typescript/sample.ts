import type { Reader } from "./reader";
import { write } from "./writer";

/** What a store is. */
export interface Store<T> extends Base {
  readonly name: string;
  get(key: string): Promise<T | undefined>;
}

export type Key = string | number;

export enum Level {
  Low = 1,
  High,
}

declare module "express" {
  interface Request {
    user?: string;
  }
}

namespace Internal.Parts {
  export const limit: number = 3;
}

export declare function outside(a: number): void;

// Two ways to call it.
export function find(key: string): Key;
export function find(key: number): Key;
export function find(key: any): Key {
  return lookup<Key>(key)!;
}

@Injectable()
export class MemoryStore<T> implements Store<T> {
  private items = new Map<string, T>();
  onClose?: () => void = () => this.items.clear();

  constructor(private readonly reader: Reader) {}

  /** Reads a value. */
  @Log("debug")
  async get(key: string): Promise<T | undefined> {
    return this.items.get(key) satisfies T | undefined;
  }

  protected abstract flush(): void;
}

abstract class Shape {
  abstract area(): number;
}

export const make = async <T,>(key: Key): Promise<Store<T>> => {
  return new MemoryStore<T>(null as never);
};

export default make;

/** What a page gets. */
export default class {
  private count = 0;
  add(n: number) { return this.helper(n); }
  helper = (n: number) => n + this.count;
}
