#include "builder/graph_pipeline.h"

#include <oneapi/tbb/parallel_pipeline.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "builder/graph_builder.h"
#include "builder/paragraph.h"
#include "builder/recogniser.h"

namespace harnessg {
namespace {

constexpr std::size_t kBatchesPerThread = 4;

struct Batch {
  std::vector<IntakeItem> items;
  std::vector<Paragraph> paragraphs;
  std::uint64_t bytes_read = 0;
  Status status;
};
using BatchPointer = std::shared_ptr<Batch>;

Result<Paragraph> analyse(IntakeItem item, MentionSource source) {
  HARNESSG_ASSIGN(SentenceRanges sentences, locate_sentences(item.record));
  ParagraphMentions mentions;
  if (source == MentionSource::kRules) {
    mentions = recognise_by_rules(item.record.title, sentence_views(item.record.text, sentences));
  } else {
    HARNESSG_ASSIGN(mentions, place_mentions(item.mentions, item.record.text, sentences));
  }
  return make_paragraph(std::move(item.record), std::move(sentences), mentions);
}

void analyse_all(Batch& batch, MentionSource source) {
  if (!batch.status) return;
  batch.paragraphs.reserve(batch.items.size());
  for (IntakeItem& item : batch.items) {
    Result<Paragraph> paragraph = analyse(std::move(item), source);
    if (!paragraph) {
      batch.status = tl::unexpected<Error>(std::move(paragraph).error());
      return;
    }
    batch.paragraphs.push_back(std::move(*paragraph));
  }
  batch.items.clear();
}

}  // namespace

Result<GraphTables> run_graph_pipeline(Intake& intake, MentionSource source, bool title_gazetteer, unsigned threads,
                                       ProgressMeter& meter) {
  GraphBuilder builder(title_gazetteer);
  Status status;                   // of the serial stage behind
  std::atomic<bool> stop = false;  // tells the stage in front
  const auto read = [&](tbb::flow_control& control) -> BatchPointer {
    auto batch = std::make_shared<Batch>();
    if (!stop) {
      auto items = intake.next();
      if (!items)
        batch->status = tl::unexpected<Error>(std::move(items).error());
      else
        batch->items = std::move(*items);
      batch->bytes_read = intake.bytes_read();
    }
    if (batch->items.empty() && batch->status) control.stop();
    if (!batch->status) stop = true;
    return batch;
  };
  const auto find = [&](BatchPointer batch) {
    analyse_all(*batch, source);
    return batch;
  };
  const auto enter = [&](BatchPointer batch) {
    if (!status) return;
    if (!batch->status) {
      status = std::move(batch->status);
      stop = true;
      return;
    }
    meter.advance(batch->paragraphs.size());
    meter.set_bytes(batch->bytes_read);
    for (Paragraph& paragraph : batch->paragraphs) builder.add(std::move(paragraph));
  };
  using tbb::filter_mode;
  tbb::parallel_pipeline(kBatchesPerThread * threads,
                         tbb::make_filter<void, BatchPointer>(filter_mode::serial_in_order, read) &
                             tbb::make_filter<BatchPointer, BatchPointer>(filter_mode::parallel, find) &
                             tbb::make_filter<BatchPointer, void>(filter_mode::serial_in_order, enter));
  if (!status) return tl::unexpected<Error>(std::move(status).error());
  for (auto& [paragraph, id] : intake.take_duplicates()) builder.add_duplicate(paragraph, std::move(id));
  return builder.finish();
}

}  // namespace harnessg
