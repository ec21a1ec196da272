"""Card detection: from a picture to the cards in it, with the packs that have been enrolled.

The steps for one picture; each module knows none of the later ones::

    indices.keypoints         picture to corner indices, each with the centres of its rank and its suit
    indices.classifier        indices to class posteriors: two classifiers, with what was learned of the pack in use
    joker_words               turns a joker's word that is set across its card and classifies it again
    combined_posteriors       combines the readings of several indices; applies a card's prior once per card
    group_indices_to_cards    joins the indices of one card, by place and reading
    card_detections           makes one `CardDetection` of each card; drops those that are only print on a card

`detector` runs these steps on the picture of the mark; `photo_reading` runs them on a photograph at several scales.
Packs: `indices.enrolled_pack` stores the owner's pack, `indices.pack_fitting` fits a classifier to it,
`enrolment_examples` takes its indices from pictures, `indices.foreign_court_letters` draws court cards with other
letters. All use `indices.class_labels` (the cards, the classifiers' heads), `indices.index_crop` and
`indices.onnx_inference`.
"""
