// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

//! The beginning of your loader in Rust: it passes stage 1 of the course, docs/course/README.md.
//!
//!     rustc -o my_loader my_loader.rs
//!     sudo build/judge sections -- ./my_loader

use std::{env, fs, process};

/// Return the little-endian number of `size` bytes at `offset`.
fn number(file: &[u8], offset: usize, size: usize) -> u64 {
    file[offset..offset + size].iter().rev().fold(0, |n, &byte| n << 8 | byte as u64)
}

/// Return the string at `offset`, which ends with a NUL.
fn string_at(file: &[u8], offset: usize) -> String {
    let bytes = file[offset..].iter().take_while(|&&byte| byte != 0).copied().collect();
    String::from_utf8(bytes).expect("a name is text")
}

/// Stage sections: the header has the offset of the table (at 40), the number of sections (at 60),
/// and which of them has the names (at 62). A header of a section has 64 bytes.
fn print_sections(file: &[u8]) {
    let table = number(file, 40, 8) as usize;
    let header = |i: usize| table + 64 * i;
    let names = number(file, header(number(file, 62, 2) as usize) + 24, 8) as usize;

    for i in 1..number(file, 60, 2) as usize {
        let at = header(i);
        println!(
            "section {} {} type={} flags={:#x} offset={} size={}",
            i,
            string_at(file, names + number(file, at, 4) as usize),
            number(file, at + 4, 4),
            number(file, at + 8, 8),
            number(file, at + 24, 8),
            number(file, at + 32, 8)
        );
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    if args.len() < 4 {
        eprintln!("usage: my_loader OBJECT ioctl|pmu|link COOKIE [PIN]");
        process::exit(1);
    }
    let file = fs::read(&args[1]).unwrap_or_else(|error| {
        eprintln!("my_loader: {}: {}", args[1], error);
        process::exit(1);
    });
    print_sections(&file);
    // Stage symbols: `build/judge symbols` shows what it wants.
}
