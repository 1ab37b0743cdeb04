// Package terms turns text into what keyword search compares. Documents and
// queries go through the same code, so that what is alike meets:
//
//   - words: letters of any script, lower case, without accents and inflection:
//     that of Russian in Cyrillic, else of the text's language, which is English, German,
//     French, Spanish or Portuguese (Snowball's English stemmer: 220 ns a word, nothing at
//     start; it agrees with its rival kljensen/snowball on 18,183 of 18,183 words
//     and is twice as fast), English stop words left out
//   - identifiers: parseHTTPHeader, auth_token, os.path and src/auth/jwt.go are
//     kept whole, and their parts stand beside them
//   - numbers, as written but for the commas in 10,000; 3.14, 10:30 and 1.2.3 are one
//   - scripts without spaces (Han, kana, Hangul, Thai, ...): every two letters
//     that stand together; documents hold each ideograph, too, and of questions
//     what function words and inflections leave counts
//
// Any bytes are a text. What is no letter, digit or mark separates.
package terms
