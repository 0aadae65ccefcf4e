// A corpus and mentions that stand in the test itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "builder/mentions_file.h"
#include "data/corpus.h"

class RecordList : public harnessg::CorpusReader {
 public:
  explicit RecordList(std::vector<harnessg::CorpusRecord> records) : records_(std::move(records)) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      records_[i].file = "list";
      records_[i].line = i + 1;
    }
  }
  harnessg::Result<std::optional<harnessg::CorpusRecord>> next() override {
    if (at_ == records_.size()) return std::nullopt;
    return records_[at_++];
  }
  std::uint64_t skipped() const override { return 0; }
  std::string first_skipped() const override { return ""; }
  std::uint64_t bytes_read() const override { return at_; }
  std::uint64_t bytes_total() const override { return records_.size(); }

 private:
  std::vector<harnessg::CorpusRecord> records_;
  std::size_t at_ = 0;
};

class MentionList : public harnessg::MentionReader {
 public:
  explicit MentionList(std::vector<harnessg::MentionRow> rows) : rows_(std::move(rows)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].file = "mentions";
      rows_[i].line = i + 1;
    }
  }
  harnessg::Result<std::optional<harnessg::MentionRow>> next() override {
    if (at_ == rows_.size()) return std::nullopt;
    return rows_[at_++];
  }

 private:
  std::vector<harnessg::MentionRow> rows_;
  std::size_t at_ = 0;
};

inline harnessg::CorpusRecord record(std::string id, std::string title, std::string text,
                                     std::vector<std::string> sentences = {}) {
  harnessg::CorpusRecord result;
  result.id = std::move(id);
  result.title = std::move(title);
  result.text = std::move(text);
  result.sentences = std::move(sentences);
  return result;
}

inline harnessg::MentionRow mention(std::string paragraph, std::uint32_t sentence, std::string surface,
                                    harnessg::Label label = harnessg::Label::kEntity) {
  harnessg::MentionRow row;
  row.paragraph = std::move(paragraph);
  row.sentence = sentence;
  row.surface = std::move(surface);
  row.label = label;
  return row;
}
